import { withQuery } from './address'

type InCloud = { cloud?: string | null | undefined }

/** The price list of cards and vGPU types. */
export const priceSettingsPath = ({ cloud }: InCloud = {}): string => withQuery('/settings/prices', { cloud })

/** Saved scenarios. `search`: the page's own parameters (the scenarios that are compared, and unsaved steps). */
export const scenariosPath = ({
  cloud,
  search = {},
}: InCloud & { search?: Record<string, string> } = {}): string =>
  withQuery('/scenarios', { cloud, ...search })

/** Addresses of the API. */
export const planningApiPaths = {
  scenarioResults: (): string => '/api/v1/scenario-results',
  scenarios: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/scenarios', { cloud }),
  scenario: ({ id }: { id: number }): string => `/api/v1/scenarios/${id}`,
  prices: ({ cloud }: InCloud = {}): string => withQuery('/api/v1/prices', { cloud }),
}
