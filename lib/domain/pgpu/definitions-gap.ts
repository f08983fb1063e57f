import type { Inventory } from '@/lib/schemas/agent/inventory'

const DEFINITION_PATH = /\/etc\/mdevctl\.d(?:\/([^/]+)(?:\/(.+))?)?$/

/**
 * Why it is not known which mdevs mdevctl has defined on these parents, as a short clause; null when it is. Of a container's
 * /etc/mdevctl.d, wherever the host sees it, as of the host's own. `uuid` asks about this one mdev, whose neighbours' files do
 * not matter; null about whole folders, and a single file that can't be read hides nothing that could be started.
 */
export const definitionsGap = (
  { problems }: Inventory,
  { parents, uuid }: { parents: ReadonlySet<string>; uuid?: string | null },
): string | null => {
  const hiding = problems.find(({ source, code }) => {
    const found = code === 'vanished' ? null : DEFINITION_PATH.exec(source)
    if (found === null) return false
    const [, parent, file] = found
    const isRequested = file === undefined || uuid === undefined || file.toLowerCase() === uuid
    return isRequested && (parent === undefined || parents.has(parent))
  })
  return hiding === undefined ? null : `${hiding.source} could not be read`
}
