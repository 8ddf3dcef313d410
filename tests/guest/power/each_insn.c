// Executes each crypto instruction of POWER8 once: the code is in all_insns.S.
void each_once(void);

int main(void) {
  each_once();
  return 0;
}
