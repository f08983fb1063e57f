-- AlterTable
ALTER TABLE "host" ADD COLUMN     "findings" JSONB NOT NULL DEFAULT '[]';
