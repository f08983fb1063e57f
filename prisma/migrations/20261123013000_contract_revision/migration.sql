-- The revision of the contract by which a host's last report was written.
ALTER TABLE "host" ADD COLUMN "contract_revision" INTEGER NOT NULL DEFAULT 1;
