/*
 * ending.h - how a command ends that was asked to by a signal.
 */
#pragma once

/*
 * A shell ends its loop at ^C only if the program dies of it: an exit code of 130 is not enough.
 * Returns the exit code for where it cannot die.
 */
int ending_by(int signal_number);
