/** The line that is pasted on a host. The script that it fetches knows the console's address and the agent's checksum. */
export const installCommand = ({
  origin,
  token,
  hostName,
}: {
  origin: string
  token: string
  hostName: string | null
}): string => {
  const name = hostName === null ? '' : ` --hostname ${hostName}`
  return `curl -fsSL ${origin}/install.sh | sudo sh -s -- --token ${token}${name}`
}
