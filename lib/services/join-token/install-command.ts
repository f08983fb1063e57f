/**
 * The line to run on a host. The script that it fetches knows the console's address and the agent's checksum, and prompts for the
 * join token on the terminal: a token in the line would be in the shell's history and in the process list.
 */
export const installCommand = ({ origin, hostName }: { origin: string; hostName: string | null }): string => {
  const options = hostName === null ? '' : ` -s -- --hostname ${hostName}`
  return `curl -fsSL ${origin}/install.sh | sudo sh${options}`
}
