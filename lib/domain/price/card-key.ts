const BRANDS = /\b(?:NVIDIA|TESLA|QUADRO|GRID|GENERATION)\b/g

/** The part of a model name by which two names of one card are equal: `NVIDIA Tesla T4` and `NVIDIA T4` are both `T4`. */
export const cardKey = (model: string): string =>
  model
    .toUpperCase()
    .replaceAll(BRANDS, '')
    .replaceAll(/[^A-Z0-9]/g, '')
