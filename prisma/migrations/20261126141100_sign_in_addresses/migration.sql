-- CreateTable
CREATE TABLE "sign_in_address" (
    "account" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_address_pkey" PRIMARY KEY ("account","address")
);

-- CreateIndex
CREATE INDEX "sign_in_allowance_full_at_idx" ON "sign_in_allowance"("full_at");
