import * as z from 'zod'
import { parseJson } from './device-spec'
import type { PciAlias } from './pci-alias'

const pciId = z.string().regex(/^[0-9a-fA-F]{4}$/, 'must be four hex digits')

/** nova/pci/request.py _ALIAS_SCHEMA, with the keys of Nova 31. */
const novaAliasSchema = z.strictObject({
  name: z.string().min(1).max(256),
  capability_type: z.literal('pci').optional(),
  vendor_id: pciId.optional(),
  product_id: pciId.optional(),
  device_type: z.enum(['type-PCI', 'type-PF', 'type-VF']).optional(),
  numa_policy: z.enum(['required', 'legacy', 'preferred', 'socket']).optional(),
  resource_class: z.string().min(1).max(255).optional(),
  traits: z.string().min(1).max(2048).optional(),
  live_migratable: z.string().min(1).max(16).optional(),
})
type NovaAlias = z.infer<typeof novaAliasSchema>

type ParsedAliases = { aliases: PciAlias[]; problem: null } | { aliases: null; problem: string }

const refused = (problem: string): ParsedAliases => ({ aliases: null, problem })

const readLine = (line: string, at: string): { alias: NovaAlias; problem: null } | { problem: string } => {
  const value = /^(?:alias|pci_alias)\s*[=:](.*)$/.exec(line)?.[1]?.trim()
  if (value === undefined)
    return { problem: `${at} is no alias: each line is alias = {…}, as nova.conf has it.` }
  const json = parseJson(value)
  if (json === undefined)
    return { problem: `${at} is no JSON, and Nova's API would refuse every alias for it.` }
  const parsed = novaAliasSchema.safeParse(json)
  if (parsed.success) return { alias: parsed.data, problem: null }
  const [issue] = parsed.error.issues
  const key = issue?.path.join('.')
  return {
    problem: `${at} is no alias to Nova: ${key === undefined || key === '' ? '' : `${key}: `}${issue?.message ?? 'unknown form'}.`,
  }
}

/** Nova refuses one name with several device types or NUMA policies (_get_alias_from_config). */
const mismatch = (aliases: readonly NovaAlias[]): string | null => {
  for (const alias of aliases) {
    const first = aliases.find(({ name }) => name.trim() === alias.name.trim()) ?? alias
    if (first.device_type !== alias.device_type)
      return `The alias ${alias.name} stands there with different device types, which Nova refuses.`
    if ((first.numa_policy ?? 'legacy') !== (alias.numa_policy ?? 'legacy'))
      return `The alias ${alias.name} stands there with different NUMA policies, which Nova refuses.`
  }
  return null
}

/**
 * The lines of `[pci]` as a person copies them from nova.conf of Nova's API: `alias`, the old `pci_alias`, comments and the
 * head of the section. No alias at all is an answer too; a text without any line is none. `problem`: one sentence.
 */
export const parseAliasLines = (text: string): ParsedAliases => {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  if (lines.every((line) => line === ''))
    return refused('Paste the section: "[pci]" alone says that Nova\'s API has no alias.')
  const found: { alias: NovaAlias; source: string }[] = []
  for (const [place, line] of lines.entries()) {
    if (line === '' || /^[#;]/.test(line) || /^\[(pci|DEFAULT)\]$/.test(line)) continue
    const at = `Line ${place + 1}`
    const read = readLine(line, at)
    if (read.problem !== null) return refused(read.problem)
    found.push({ alias: read.alias, source: at.toLowerCase() })
  }
  const problem = mismatch(found.map(({ alias }) => alias))
  if (problem !== null) return refused(problem)
  return {
    problem: null,
    aliases: found.map(({ alias, source }) => ({
      name: alias.name.trim(),
      vendor_id: alias.vendor_id,
      product_id: alias.product_id,
      resource_class: alias.resource_class,
      device_type: alias.device_type,
      source,
    })),
  }
}
