-- AlterTable
ALTER TABLE "utilisation_arrival" ADD COLUMN "last_readings" JSONB;
