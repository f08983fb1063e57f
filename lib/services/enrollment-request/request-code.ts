/** Eight digits that name a request on the page and in the log of the host, so that an admin can compare them. */
export const requestCode = (requesterHash: string): string =>
  Buffer.from(requesterHash, 'base64url').toString('hex').slice(0, 8)
