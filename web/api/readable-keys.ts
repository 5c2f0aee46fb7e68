/** False after the server's secret was lost or changed: then the server cannot show the key, and the key no longer works. */
export const isReadable = ({ key }: { key: string }): boolean => key !== ''
