import type { Inventory } from '@/lib/schemas/agent/inventory'

const PLACE = /\/etc\/mdevctl\.d(?:\/([^/]+)(?:\/(.+))?)?$/

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
    const place = code === 'vanished' ? null : PLACE.exec(source)
    if (place === null) return false
    const [, parent, file] = place
    const isAsked = file === undefined || uuid === undefined || file.toLowerCase() === uuid
    return isAsked && (parent === undefined || parents.has(parent))
  })
  return hiding === undefined ? null : `${hiding.source} could not be read`
}
