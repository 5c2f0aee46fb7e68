/**
 * Texts that run a script if a page treats text as markup. Each calls `caught(n)` or requests `canary`, so that a
 * browser that runs one of them reports which.
 *
 * @param canary  origin that must never get a request
 */
export function scriptVectors(canary: string): string[] {
  const frames = [
    (act: string) => `<script>${act}</script>`,
    (act: string) => `"><script>${act}</script>`,
    (act: string) => `</title><script>${act}</script>`,
    (act: string) => `<img src=x onerror="${act}">`,
    (act: string) => `'><img src=x onerror=${act}>`,
    (act: string) => `<svg/onload=${act}>`,
    (act: string) => `<svg><animate onbegin=${act} attributeName=x dur=1s>`,
    (act: string) => `<math><mtext><table><mglyph><style><img src=x onerror=${act}>`,
    (act: string) => `<details open ontoggle=${act}>`,
    (act: string) => `<body onload=${act}>`,
    (act: string) => `<input autofocus onfocus=${act}>`,
    (act: string) => `<video><source onerror=${act}></video>`,
    (act: string) => `<iframe srcdoc="<script>parent.${act}</script>"></iframe>`,
    (act: string) => `<a href="javascript:${act}">press</a>`,
    (act: string) => `[press](javascript:${act})`,
    (act: string) => `[press](<java\tscript:${act}>)`,
    (act: string) => `![x](x "onerror=${act}")`,
    (act: string) => `<javascript:${act}>`,
    (act: string) => `http://a.example/<img src=x onerror=${act}>`,
    (act: string) => `www.a.example/"onmouseover="${act}`,
    (act: string) => `[ref]: javascript:${act} "x"\n\n[ref]`,
    (act: string) => `\`\`\`html\n</code></pre><img src=x onerror=${act}>\n\`\`\``,
    (act: string) => `| a |\n|---|\n| <img src=x onerror=${act}> |`,
    (act: string) => `{{constructor.constructor('${act}')()}}`,
    (act: string) => `\${${act}}`,
    (act: string) => `</script><script>${act}</script>`,
    (act: string) => `<!--><img src=x onerror=${act}>-->`,
    (act: string) => `<noscript><p title="</noscript><img src=x onerror=${act}>">`,
    (act: string) => `<template><script>${act}</script></template>`,
    (act: string) => `\u202e<img src=x onerror=${act}>`,
  ]
  const loads = [
    `<img src="${canary}/img">`,
    `![x](${canary}/markdown)`,
    `<link rel=stylesheet href="${canary}/css">`,
    `<meta http-equiv=refresh content="0;url=${canary}/refresh">`,
    `<base href="${canary}/">`,
    `<iframe src="${canary}/frame"></iframe>`,
    `<form action="${canary}/form"><button autofocus>x</button></form>`,
    `<style>@import url(${canary}/import)</style>`,
    `<object data="${canary}/object"></object>`,
  ]
  return [...frames.map((frame, number) => frame(`caught(${number})`)), ...loads]
}
