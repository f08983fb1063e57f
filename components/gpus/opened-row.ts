const keyOf = () => `row ${window.location.pathname}${window.location.search}`

/** Keeps, for this tab, which pGPU was opened from the list at this address. */
export const keepOpenedRow = ({ host, address }: { host: string; address: string }): void =>
  window.sessionStorage.setItem(keyOf(), `${host} ${address}`)

/** The pGPU that was opened from here, once: after that the focus is the reader's. */
export const takeOpenedRow = (): { host: string; address: string } | null => {
  const [host, address] = window.sessionStorage.getItem(keyOf())?.split(' ') ?? []
  window.sessionStorage.removeItem(keyOf())
  return host === undefined || address === undefined ? null : { host, address }
}
