import { withQuery } from './address'

type InCloud = { cloud?: string | null | undefined }

/** The price list of cards and vGPU types. */
export const priceSettingsPath = ({ cloud }: InCloud = {}): string => withQuery('/settings/prices', { cloud })

/** Addresses of the API. */
export const planningApiPaths = {
  prices: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/prices', { cloud }),
}
