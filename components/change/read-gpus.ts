/** pGPUs as lib/util/paths writes them into an address: `host,address`, several with a space between. */
export const readGpus = (text: string): { host: string; address: string }[] =>
  text.split(' ').flatMap((one) => {
    const [host, address] = one.split(',')
    return host === undefined || host === '' || address === undefined || address === ''
      ? []
      : [{ host, address }]
  })
