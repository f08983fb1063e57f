import * as z from 'zod'

/** Brings the traits of one provider in line. */
export const setTraitsTaskSchema = z.object({
  kind: z.literal('set-traits'),
  host: z.string(),
  pgpuAddress: z.string(),
  /** Of the provider: the pGPU's own, or that of a VF. */
  address: z.string(),
  providerName: z.string(),
  /** As the plan found it; Nova re-creates providers under another. */
  providerUuid: z.string(),
  typeId: z.string(),
  typeName: z.string(),
  /** The trait that it gets. */
  trait: z.string(),
  /** Traits that name another type of the card, by the naming rule or by habit: they are removed. */
  otherTypes: z.array(z.string()).readonly(),
  /** Of `trait` and `otherTypes`, those that the provider had. */
  seen: z.array(z.string()).readonly(),
})
export type SetTraitsTask = z.infer<typeof setTraitsTaskSchema>

/** What a write of a provider's traits would add and remove; everything else on it belongs to others and stays. */
export type TraitChange = { added: readonly string[]; removed: readonly string[] }

/** What is missing for a provider with these traits to be as wanted. */
export const traitChange = (
  { trait, otherTypes }: Pick<SetTraitsTask, 'trait' | 'otherTypes'>,
  traits: readonly string[],
): TraitChange => ({
  added: traits.includes(trait) ? [] : [trait],
  removed: otherTypes.filter((other) => other !== trait && traits.includes(other)),
})

/** Nothing is missing. */
export const isNoChange = ({ added, removed }: TraitChange): boolean =>
  added.length === 0 && removed.length === 0

/** A provider's whole list after the change: what is there now, merged. */
export const applyTraitChange = ({ added, removed }: TraitChange, traits: readonly string[]): string[] =>
  [...new Set([...traits.filter((trait) => !removed.includes(trait)), ...added])].toSorted()

/** What would take a change back, of what is there now: only its own. */
export const reverseTraitChange = (
  { added, removed }: TraitChange,
  traits: readonly string[],
): TraitChange => ({
  added: removed.filter((trait) => !traits.includes(trait)),
  removed: added.filter((trait) => traits.includes(trait)),
})
