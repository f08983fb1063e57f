-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "cloud" TEXT;

-- CreateIndex
CREATE INDEX "audit_entry_cloud_id_idx" ON "audit_entry"("cloud", "id");
