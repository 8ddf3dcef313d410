/* Which calls of libc are stubs; none matters here. The 64-bit package has no such file for 32
 * bits. */
