/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libext2fs handles. A layout without device stands on an I/O manager that
 * reads nothing and refuses to write.
 */
#include "io/fsopen.h"

#include <errno.h>

#include "base/banned.h"

static errcode_t no_device_close(io_channel channel)
{
	if (--channel->refcount > 0)
		return 0;
	free(channel->name);
	free(channel);
	return 0;
}

static errcode_t no_device_set_blksize(io_channel channel, int blksize)
{
	channel->block_size = blksize;
	return 0;
}

static errcode_t no_device_read(io_channel channel, unsigned long long blk,
				int count, void *data)
{
	(void)channel;
	(void)blk;
	(void)count;
	(void)data;
	return EIO;
}

static errcode_t no_device_write(io_channel channel, unsigned long long blk,
				 int count, const void *data)
{
	(void)channel;
	(void)blk;
	(void)count;
	(void)data;
	return EROFS;
}

static errcode_t no_device_read32(io_channel channel, unsigned long blk,
				  int count, void *data)
{
	return no_device_read(channel, blk, count, data);
}

static errcode_t no_device_write32(io_channel channel, unsigned long blk,
				   int count, const void *data)
{
	return no_device_write(channel, blk, count, data);
}

static errcode_t no_device_flush(io_channel channel)
{
	(void)channel;
	return 0;
}

static errcode_t no_device_open(const char *name, int flags,
				io_channel *channel);

static struct struct_io_manager no_device_manager = {
	.magic = EXT2_ET_MAGIC_IO_MANAGER,
	.name = "layout without a device",
	.open = no_device_open,
	.close = no_device_close,
	.set_blksize = no_device_set_blksize,
	.read_blk = no_device_read32,
	.write_blk = no_device_write32,
	.flush = no_device_flush,
	.read_blk64 = no_device_read,
	.write_blk64 = no_device_write,
};

static errcode_t no_device_open(const char *name, int flags,
				io_channel *channel)
{
	io_channel io = calloc(1, sizeof(*io));

	(void)flags;
	if (!io)
		return ENOMEM;
	io->magic = EXT2_ET_MAGIC_IO_CHANNEL;
	io->manager = &no_device_manager;
	io->name = strdup(name);
	io->block_size = 1024;
	io->refcount = 1;
	if (!io->name) {
		free(io);
		return ENOMEM;
	}
	*channel = io;
	return 0;
}

errcode_t fsopen_layout(struct ext2_super_block *param, ext2_filsys *fs)
{
	return ext2fs_initialize("", EXT2_FLAG_64BITS | EXT2_FLAG_RW, param,
				 &no_device_manager, fs);
}

errcode_t fsopen_attach(ext2_filsys fs, const char *path)
{
	io_channel io = NULL;
	char *name = strdup(path);
	errcode_t rc = name ? 0 : ENOMEM;

	if (!rc)
		rc = unix_io_manager->open(path, IO_FLAG_RW | IO_FLAG_EXCLUSIVE,
					   &io);
	if (!rc)
		rc = io_channel_set_blksize(io, (int)fs->blocksize);
	if (rc) {
		if (io)
			io_channel_close(io);
		free(name);
		return rc;
	}
	/* libext2fs frees the name with its own allocator, which is malloc. */
	io_channel_close(fs->io);
	ext2fs_free_mem(&fs->device_name);
	fs->device_name = name;
	fs->io = io;
	fs->image_io = io;
	io->app_data = fs;
	return 0;
}

errcode_t fsopen_finish(ext2_filsys fs)
{
	io_channel io = fs->io;
	errcode_t rc, closed;

	/*
	 * libext2fs drops what closing says. Some network filesystems tell only
	 * then that data was lost, so the device is held once more.
	 */
	io->refcount++;
	rc = ext2fs_close_free(&fs);
	closed = io_channel_close(io);
	return rc ? rc : closed;
}

errcode_t fsopen_error(errcode_t code)
{
	return code == EXT2_ET_SHORT_WRITE ? LB_E_WRITE_SHORT : code;
}

void fsopen_drop(ext2_filsys fs)
{
	if (fs)
		ext2fs_free(fs);
}
