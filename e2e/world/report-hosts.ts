import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import type { RunAgent } from '@/simulator/process/agent-fleet'

type Trees = {
  url: string
  /** Where the agents keep their state. */
  folder: string
  /** Hosts whose trees exist already. */
  hosts: readonly { name: string; root: string }[]
  /** Of a console that requires a sign-in; without it one is made as the local admin. */
  joinToken?: string
}

/** The agent as it is shipped, not its sources. */
export const loadAgent = async (): Promise<RunAgent> =>
  ((await import(pathToFileURL(path.resolve('dist/sliceboard-agent.mjs')).href)) as { runAgent: RunAgent })
    .runAgent

/** A join token, created as the browser creates one; `headers` identify the caller where sign-in is enabled. */
export const makeJoinToken = async (
  url: string,
  maxUses: number,
  headers: Record<string, string> = {},
): Promise<string> => {
  const response = await fetch(`${url}/api/v1/join-tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, ...headers },
    body: JSON.stringify({
      cloud: 'paris-prod',
      label: 'browser tests',
      lifetimeMinutes: 30,
      maxUses,
      hostName: null,
    }),
  })
  if (!response.ok) throw new Error(`No join token: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { token: string }).token
}

/** Writes each host's tree and reports it once. */
export const reportHosts = async ({
  url,
  folder,
  hosts,
  ...rest
}: Omit<Trees, 'hosts'> & { hosts: readonly HostSpec[] }): Promise<void> => {
  const trees = hosts.map((spec) => {
    const root = path.join(folder, 'hosts', spec.name)
    writeHostTree(root, spec)
    return { name: spec.name, root }
  })
  await reportTrees({ url, folder, hosts: trees, ...rest })
}

/** Enrols the agent of each tree and reports once; the report is committed when this returns. */
export const reportTrees = async ({ url, folder, hosts, joinToken: given }: Trees): Promise<void> => {
  const runAgent = await loadAgent()
  const joinToken = given ?? (await makeJoinToken(url, hosts.length))
  for (const { name, root } of hosts) {
    await runAgent({
      root,
      hostName: name,
      stateDirectory: path.join(folder, 'agents', name),
      serverUrl: url,
      joinToken,
      isOnce: true,
      signal: new AbortController().signal,
      log: {
        info: () => undefined,
        warn: (sentence: string) => process.stderr.write(`${name}: ${sentence}\n`),
      },
    })
  }
}
