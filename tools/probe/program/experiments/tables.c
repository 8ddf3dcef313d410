// The tables of experiments, in the order of the document.
#include "tools/probe/program/experiment.h"

extern const struct Experiment kCpuidExperiments[], kMsrExperiments[], kRngExperiments[],
    kAceExperiments[], kCtrExperiments[], kExceptionExperiments[], kKeyExperiments[],
    kPheExperiments[], kPmmExperiments[], kZhaoxinExperiments[];

const struct Experiment* const kExperimentTables[] = {kCpuidExperiments,
                                                      kRngExperiments,
                                                      kAceExperiments,
                                                      kCtrExperiments,
                                                      kExceptionExperiments,
                                                      kKeyExperiments,
                                                      kPheExperiments,
                                                      kPmmExperiments,
                                                      kZhaoxinExperiments,
                                                      kMsrExperiments,
                                                      NULL};
