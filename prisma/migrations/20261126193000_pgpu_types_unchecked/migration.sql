-- Rows of types are never deleted. Each report checked both keys for each of its pGPUs, and side by side the transactions of a
-- rush shared locks on the few rows of types, which took more than half of the insert.
ALTER TABLE "pgpu" DROP CONSTRAINT "pgpu_type_id_fkey", DROP CONSTRAINT "pgpu_type_set_id_fkey";
