const ADDRESS = /^https?:\/\/[A-Za-z0-9._~:/%[\]-]+$/

type InstallScriptInput = {
  /** Text of agent/install/install.sh. */
  template: string
  /** Text of agent/install/sliceboard-agent.service. */
  unit: string
  /** Address under which hosts reach the console; may come from a request's Host header, so it is checked here. */
  serverUrl: string
  /** Lower-case hex SHA-256 of the agent file that the console serves. */
  agentSha256: string
  agentVersion: string
}

/**
 * Fills the places of the install script. The values end up inside single quotes of a script that root runs, so anything
 * but the characters of an address, a checksum or a version throws.
 */
export const renderInstallScript = ({
  template,
  unit,
  serverUrl,
  agentSha256,
  agentVersion,
}: InstallScriptInput): string => {
  if (!ADDRESS.test(serverUrl))
    throw new Error('The address of the console holds characters that no address has.')
  if (!/^[0-9a-f]{64}$/.test(agentSha256)) throw new Error('The checksum of the agent must be 64 hex digits.')
  if (!/^[0-9A-Za-z.+-]{1,64}$/.test(agentVersion))
    throw new Error('The version of the agent is not a version.')
  const values: Record<string, string> = {
    SERVER_URL: serverUrl.replace(/\/+$/, ''),
    AGENT_SHA256: agentSha256,
    AGENT_VERSION: agentVersion,
    SERVICE_UNIT: unit.trimEnd(),
  }
  return template.replace(/@@([A-Z0-9_]+)@@/g, (_placeholder, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The install script has an unknown place @@${name}@@.`)
    return value
  })
}
