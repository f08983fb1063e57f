/** Brings the traits of one provider in line. */
export type SetTraitsTask = {
  kind: 'set-traits'
  host: string
  pgpuAddress: string
  /** Of the provider: the pGPU's own, or that of a VF. */
  address: string
  providerName: string
  /** As the plan saw it; Nova re-creates providers under another. */
  providerUuid: string
  typeId: string
  typeName: string
  /** The trait that it gets. */
  trait: string
  /** Traits that name another type of the card, by the naming rule or by habit: they go. */
  otherTypes: readonly string[]
  /** Of `trait` and `otherTypes`, those that the provider had. */
  seen: readonly string[]
}

/** What writing a provider's traits would add and take away; everything else on it is somebody else's and stays. */
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
