-- CreateTable
CREATE TABLE "catalog_watch" (
    "cloud_id" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "flavor_id" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "catalog_watch_pkey" PRIMARY KEY ("cloud_id","user_id","project_id","flavor_id")
);

-- AddForeignKey
ALTER TABLE "catalog_watch" ADD CONSTRAINT "catalog_watch_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
