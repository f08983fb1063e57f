-- AlterTable
ALTER TABLE "roll_up" ADD COLUMN     "standing" JSONB;
