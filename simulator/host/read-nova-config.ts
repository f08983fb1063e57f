import { rmSync } from 'node:fs'
import { createHostFiles } from '@/agent/collect/host-files'
import { collectNovaConfig } from '@/agent/collect/nova-config'
import { createProblemLog } from '@/agent/collect/problem-log'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { renderNovaConf } from '@/simulator/host-tree/render-nova-conf'
import type { Tree } from '@/simulator/host-tree/tree'
import { replaceEntry } from '@/simulator/host-tree/write-host-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'

/** nova.conf as nova-compute finds it at a start; `errors` are lines that oslo.config gives up at. */
export type NovaConfigRead = { config: NovaConfig | null; errors: string[] }

/** Reads the files below a tree in oslo.config's order, by the very code of the agent. */
export const readNovaConfig = (root: string): NovaConfigRead => {
  const problems = createProblemLog()
  const config = collectNovaConfig({ files: createHostFiles({ root, problems }), problems })
  const errors = problems.list().flatMap(({ message }) => (/does not start/.test(message) ? [message] : []))
  return { config, errors }
}

/** The same for a host that has no tree. */
export const readNovaConfigOf = (spec: HostSpec): NovaConfigRead => {
  const root = makeTemporaryDirectory('nova-config')
  try {
    const tree: Tree = new Map()
    renderNovaConf(tree, spec)
    for (const [at, entry] of tree) replaceEntry(root, at, entry)
    return readNovaConfig(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
