-- AlterTable
ALTER TABLE "host_inventory" ADD COLUMN     "version" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "host_difference" (
    "host_id" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "edits" BYTEA NOT NULL,

    CONSTRAINT "host_difference_pkey" PRIMARY KEY ("host_id","place")
);

-- AddForeignKey
ALTER TABLE "host_difference" ADD CONSTRAINT "host_difference_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

UPDATE "host_inventory" i SET "version" = h."applied_reports" FROM "host" h WHERE h."id" = i."host_id";

-- Written over again and again, like host_inventory: in the row, with room in each page for the next one.
ALTER TABLE "host_difference" ALTER COLUMN "edits" SET STORAGE EXTERNAL;

ALTER TABLE "host_difference" SET (toast_tuple_target = 8160, fillfactor = 60);
