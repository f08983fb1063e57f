-- AlterTable
ALTER TABLE "change" ADD COLUMN     "approved_at" TIMESTAMPTZ(3),
ADD COLUMN     "approved_by" TEXT,
ADD COLUMN     "batch_hosts" INTEGER,
ADD COLUMN     "needs_approval" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "window_from" TIMESTAMPTZ(3),
ADD COLUMN     "window_until" TIMESTAMPTZ(3);
