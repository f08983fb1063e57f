import { publishedType } from './published-types'
import { readTypeFacts, type TypeFacts } from './read-type'

/**
 * A type of vendor VFIO, which tells an id and a name only: what fits on a card comes from NVIDIA's published table, if at all,
 * and only for a type that the host names. `maxInstance` is in vGPUs, the framebuffer in MiB.
 */
export const readVendorType = ({ typeId, name }: { typeId: string; name: string | null }): TypeFacts => {
  const facts = readTypeFacts({ typeId, name, description: null })
  const published = name === null ? null : publishedType(facts.shortName)
  if (published === null) return facts
  return {
    ...facts,
    maxInstance: published.maxPerGpu,
    framebufferMib: published.framebufferMib ?? facts.framebufferMib,
  }
}
