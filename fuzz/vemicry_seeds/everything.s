# One of each kind of statement, for the fuzzer of the assembler to start from.
	.set	SIZE, 4 * (P + 2) - 1
	.equ	MASK, ~0xFF & 0xFFFF ^ 'a' | 1 << 3
	.macro	rotate to, from:req, by=24, more:vararg
	.ifb	\by
	.error	"no count"
	.elseif	\by > 31
	.exitm
	.else
x\@\():	vbcrotr	\to, \from, \by
	.endif
	.endm
	.text
	.globl	__start
	.ent	__start
	.type	__start, @function
__start: .set reorder; b 1f; .set noreorder
1:	rotate	v0, from=v1
	rotate	v0, v1, 8, a, b
	lw	$4, table+4($5)
	la	R4, table
	li	$t3, -70000
	bgt	$4, 5, 1b
	VSTORE	($6), $v3, P
	vload	v0, $5, 4
	sw	$ra, %lo(table)($4)
	cfc2	$2, $1
	break	7
	.rept	3
	.byte	. - 1b, 'x', '\n'
	.endr
	.align	2
	jal	__start
	nop	// end
	.end	__start
	.size	__start, . - __start
	.section .rodata.str1.4,"aMS",@progbits,1
	.asciiz	"text\t\061;#", "more"
	.data
	.balign	16
table:	.word	table, end - table, %hi(table), 0b101, 017
	.half	-1
end = .
	.if	SIZE == 39 && 1 || 0
	.space	8, 3
	.endif
	.comm	buffer, 64, 8
	/* a
	   comment */
	.previous
	.cfi_startproc
	.frame	$sp, 0, $31
