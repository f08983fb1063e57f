-- CreateTable
CREATE TABLE "refused_server" (
    "cloud_id" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "project_id" TEXT NOT NULL,
    "project_name" TEXT,
    "flavor_name" TEXT,
    "reason" TEXT NOT NULL,
    "said" TEXT NOT NULL,

    CONSTRAINT "refused_server_pkey" PRIMARY KEY ("cloud_id", "uuid")
);

-- CreateIndex
CREATE INDEX "refused_server_cloud_id_at_idx" ON "refused_server"("cloud_id", "at");

-- AddForeignKey
ALTER TABLE "refused_server" ADD CONSTRAINT "refused_server_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
