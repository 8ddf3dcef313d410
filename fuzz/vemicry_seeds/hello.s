# A program that Linux runs too: prints a line and exits with 42.
	.text
	.global __start
__start: li $v0,4004
	li $a0,1
	la $a1,msg
	li $a2,6
	syscall
	lw $t0,val
	lw $t1,z
	addu $a0,$t0,$t1
	li $v0,4001
	syscall
	.rdata
msg: .asciiz "hello\n"
	.data
val: .word 42
	.bss
z: .space 5000
