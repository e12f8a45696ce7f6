// SPDX-License-Identifier: MIT
// Ends of an MPI job: mpicc mpi_exits.c -o mpi_exits && mpirun -np 2 ./mpi_exits MODE
// MODE: exit (rank 1 returns 3), kill (SIGKILL), segv (null pointer), abort (MPI_Abort with 42).
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank = 0;
    const char *mode = argc > 1 ? argv[1] : "exit";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        if (!strcmp(mode, "exit")) exit(3);
        if (!strcmp(mode, "kill")) raise(SIGKILL);
        if (!strcmp(mode, "segv")) *(volatile int *)0 = 1;
        if (!strcmp(mode, "abort")) MPI_Abort(MPI_COMM_WORLD, 42);
    }
    sleep(1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
