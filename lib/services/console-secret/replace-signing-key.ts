import 'server-only'
import * as z from 'zod'
import { StartError } from '@/lib/server/errors/start-error'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { claimSecret } from '@/lib/server/session/claim-secret'
import { replaceKey } from '@/lib/services/agent-command/signing-keys'
import type { KeyReplacement, ReplacementInput } from './replace-secret'

// SQL: one statement counts the hosts of all clouds.
const CLOUDS = `
SELECT c.id, c.name, (SELECT count(DISTINCT a.host_id)::int FROM agent_credential a
  WHERE a.cloud_id = c.id AND a.revoked_at IS NULL) AS hosts
FROM cloud c ORDER BY c.name COLLATE "C"`

const cloudRow = z.object({ id: z.int(), name: z.string(), hosts: z.int() })

/** Gives one cloud, or every cloud, a new key that signs the commands to its hosts. */
export const planSigningKeyReplacement = async (
  input: ReplacementInput,
  { cloud }: { cloud: string | null },
): Promise<KeyReplacement> => {
  const { database, now } = input
  const box = createSecretBox(await claimSecret({ ...input, now: now() }))
  const all = await database.query(CLOUDS, [], cloudRow)
  const chosen = all.filter(({ name }) => cloud === null || name === cloud)
  if (chosen.length === 0)
    throw new StartError(
      `There is no cloud named "${cloud ?? ''}". The database has: ${all.map(({ name }) => name).join(', ')}.`,
    )
  return {
    consequences: chosen.map(
      ({ name, hosts }) =>
        `${name}: ${hosts} enrolled host${hosts === 1 ? '' : 's'} will refuse commands until enrolled again with a join token; reports continue.`,
    ),
    apply: async () => {
      for (const { id } of chosen) await replaceKey({ database, box, now }, id)
      return `The signing key of ${chosen.map(({ name }) => name).join(', ')} was replaced.`
    },
  }
}
