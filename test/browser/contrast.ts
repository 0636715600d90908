import type { Page } from 'playwright-core';

/** Texts of the page that stand out too little from what is behind them, by WCAG 2.2: 1.4.3, at least 4.5 to 1. */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (colour: string): number[] => {
      if (!canvas) return [];
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (colour: number[]): number => {
      const [r = 0, g = 0, b = 0] = colour.map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element | null): number[] => {
      for (let at = element; at; at = at.parentElement) {
        const colour = rgba(getComputedStyle(at).backgroundColor);
        if (colour[3] === 255) return colour;
      }
      return [255, 255, 255];
    };
    const ratio = (element: Element): number => {
      const [a, b] = [luminance(rgba(getComputedStyle(element).color)), luminance(behind(element))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    const texts = [...document.querySelectorAll('body *')].filter((element) => {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      return own && element.checkVisibility() && !['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(element.tagName);
    });
    const found = texts.filter((element) => ratio(element) < least);
    return found.map(
      (one) => `${one.tagName}.${one.className} '${one.textContent?.slice(0, 30)}': ${ratio(one).toFixed(2)}`,
    );
  }, LEAST);
}

/** Signs and borders of the map that stand out too little from the cards, by WCAG 2.2: 1.4.11, at least 3 to 1. */
export function faintBorders(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const luminance = (colour: string): number => {
      if (!canvas) return 0;
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const card = luminance(getComputedStyle(document.querySelector('.card') ?? document.body).backgroundColor);
    const drawn = [...document.querySelectorAll('#map .node, #map .seg')];
    const faint = drawn.filter((element) => {
      const border = luminance(getComputedStyle(element).borderTopColor);
      return (Math.max(border, card) + 0.05) / (Math.min(border, card) + 0.05) < 3;
    });
    return faint.map((element) => element.className);
  });
}

const LEAST = 4.5;
