/** The URL of a server that listens on an address, which a browser on this machine can open. */
export function listenUrl(address: string, port: number): string {
  const isEverywhere = address === '0.0.0.0' || address === '::'
  return `http://${isEverywhere ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address}:${port}`
}
