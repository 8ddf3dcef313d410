#!/bin/bash
# The first blocks of NIST SP 800-38A, encrypted and decrypted by the command `openssl enc` of this build with the engine.
# usage: aes.sh BITS MODE
case $1 in
  128) key=2b7e151628aed2a6abf7158809cf4f3c ;;
  192) key=8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b ;;
  256) key=603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4 ;;
esac
case $1-$2 in
  128-ecb) answer=3ad77bb40d7a3660a89ecaf32466ef97 ;;
  192-ecb) answer=bd334f1d6e45f25ff712a214571fa5cc ;;
  256-ecb) answer=f3eed1bdb5d2a03c064b5a7e3db181f8 ;;
  128-cbc) answer=7649abac8119b246cee98e9b12e9197d ;;
  192-cbc) answer=4f021db243bc633d7178183a9fa071e8 ;;
  256-cbc) answer=f58c4c04d6e5f1ba779eabfb5f7bfbd6 ;;
esac
iv="-iv 000102030405060708090a0b0c0d0e0f"
[ "$2" != ecb ] || iv=
# Where there is no PadLock, the engine has no ciphers.
engine="-engine padlock"
! util/wrap.pl apps/openssl engine padlock | grep -q no-ACE || engine=
plain=6bc1bee22e409f96e93d7e117393172a
crypt() {
  # shellcheck disable=SC2086,SC2059
  printf "$(sed 's/../\\x&/g' <<<"$1")" | util/wrap.pl apps/openssl enc "${@:2}" $engine -nopad -K $key $iv 2>/dev/null |
    od -An -tx1 | tr -d ' \n'
}

encrypted=$(crypt $plain -e "-aes-$1-$2")
decrypted=$(crypt $answer -d "-aes-$1-$2")
echo "AES-$1 $2: $plain is encrypted to $encrypted, $answer decrypted to $decrypted"
[ "$encrypted $decrypted" = "$answer $plain" ]
