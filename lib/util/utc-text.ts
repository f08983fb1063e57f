/** A moment as UTC with a Z, as ISO 8601 writes it: spreadsheets and scripts then know the zone. Null stays null. */
export const utcText = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString())
