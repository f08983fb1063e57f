-- AlterTable
ALTER TABLE "mdev" ALTER COLUMN "is_defined" DROP NOT NULL,
ALTER COLUMN "is_autostart" DROP NOT NULL;
