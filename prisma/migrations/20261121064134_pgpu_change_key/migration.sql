-- DropIndex
DROP INDEX "pgpu_change_host_id_address_enrolment_boot_sequence_key";

-- AlterTable
ALTER TABLE "pgpu_change" DROP CONSTRAINT "pgpu_change_pkey",
DROP COLUMN "id",
ALTER COLUMN "framework" DROP NOT NULL,
ADD CONSTRAINT "pgpu_change_pkey" PRIMARY KEY ("host_id", "address", "enrolment", "boot", "sequence");
