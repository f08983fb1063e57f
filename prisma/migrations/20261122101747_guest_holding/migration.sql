-- CreateTable
CREATE TABLE "guest_holding" (
    "host_id" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "flavor_name" TEXT,
    "project_id" TEXT,
    "project_name" TEXT,
    "addresses" TEXT[],
    "type_ids" TEXT[],

    CONSTRAINT "guest_holding_pkey" PRIMARY KEY ("host_id","uuid")
);

-- AddForeignKey
ALTER TABLE "guest_holding" ADD CONSTRAINT "guest_holding_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
