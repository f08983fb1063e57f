-- CreateTable
CREATE TABLE "server_request" (
    "cloud_id" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "server_uuid" TEXT,
    "message" TEXT,
    "code" TEXT,
    "made_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "server_request_pkey" PRIMARY KEY ("cloud_id","user_id","key"),
    CONSTRAINT "server_request_state_check" CHECK ("state" IN ('pending', 'created', 'refused', 'unknown'))
);

-- CreateIndex
CREATE INDEX "server_request_made_at_idx" ON "server_request"("made_at");

-- AddForeignKey
ALTER TABLE "server_request" ADD CONSTRAINT "server_request_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
