import type { MigrationCaution } from './migration-ends'

/** A blocker as a sentence. */
export const blockerText = (
  { at: location, because }: MigrationCaution,
  { source, destination }: { source: string; destination: string },
): string => {
  if (location === 'source') return `${source} ${because}`
  return location === 'destination' ? `${destination} ${because}` : because
}
