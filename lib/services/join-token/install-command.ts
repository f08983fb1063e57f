import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellWord } from '@/lib/util/encode/shell'

/**
 * The line to run on a host. The script that it fetches knows the console's address and the agent's checksum, and prompts for the
 * join token on the terminal: a token in the line would be in the shell's history and in the process list.
 */
export const installCommand = ({
  origin,
  hostName,
}: {
  origin: string
  hostName: string | null
}): Encoded<'shell'> => {
  const fetched = sh`curl -fsSL ${shellWord(`${origin}/install.sh`)} | sudo sh`
  return hostName === null ? fetched : sh`${fetched} -s -- --hostname ${shellWord(hostName)}`
}
