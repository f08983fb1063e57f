-- CreateTable
CREATE TABLE "price" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "type_name" TEXT,
    "amount" BIGINT,
    "currency" TEXT NOT NULL,
    "valid_from" DATE NOT NULL,
    "added_by" TEXT NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "price_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "price_cloud_id_idx" ON "price"("cloud_id");

-- AddForeignKey
ALTER TABLE "price" ADD CONSTRAINT "price_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
