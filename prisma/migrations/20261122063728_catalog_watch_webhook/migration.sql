-- AlterTable
ALTER TABLE "catalog_watch" ADD COLUMN     "made_by" TEXT,
ADD COLUMN     "next_try_at" TIMESTAMPTZ(3),
ADD COLUMN     "told_at" TIMESTAMPTZ(3),
ADD COLUMN     "tries" INTEGER NOT NULL DEFAULT 0;
