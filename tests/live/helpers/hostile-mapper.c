/*
 * hostile-mapper FILE...: maps each file as executable memory, and calls getppid() with a forged
 * return address inside the file.
 *
 * The address moves by one byte each round, and starts again after 4,096 rounds. The program never
 * touches the mapped memory, because the file may have shrunk.
 */
#include <err.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "hostile.h"

FAKE_CALL

#define FILES 8

struct mapped {
	const char *at;
	size_t size;
};

static struct mapped map(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	struct mapped m;

	if (fd < 0 || fstat(fd, &st))
		err(1, "%s", path);
	m.size = (size_t)st.st_size;
	m.at = mmap(NULL, m.size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (m.at == MAP_FAILED)
		err(1, "%s", path);
	close(fd);
	return m;
}

int main(int argc, char **argv)
{
	struct mapped m[FILES];
	int n = argc - 1;

	for (int i = 0; i < n && i < FILES; i++)
		m[i] = map(argv[i + 1]);
	for (size_t round = 0;; round++)
		for (int i = 0; i < n && i < FILES; i++) {
			struct fake_frame f = {NULL, m[i].at + m[i].size / 2 + round % 4096};

			fake_call(&f);
			usleep(5000);
		}
}
