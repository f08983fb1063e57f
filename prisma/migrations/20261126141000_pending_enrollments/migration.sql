-- CreateTable
CREATE TABLE "pending_enrollment" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "host_name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "join_token_id" INTEGER NOT NULL,
    "requester_hash" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "agent_version" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "decision" TEXT,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "pending_enrollment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "pending_enrollment_cloud_id_host_name_join_token_id_request_key" ON "pending_enrollment"("cloud_id", "host_name", "join_token_id", "requester_hash");

-- AddForeignKey
ALTER TABLE "pending_enrollment" ADD CONSTRAINT "pending_enrollment_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_enrollment" ADD CONSTRAINT "pending_enrollment_join_token_id_fkey" FOREIGN KEY ("join_token_id") REFERENCES "join_token"("id") ON DELETE CASCADE ON UPDATE CASCADE;
