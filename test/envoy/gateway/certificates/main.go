// Command certificates makes throw-away certificates: authorities, servers and clients. It reads a JSON list of
// what is wanted from its input and writes NAME.crt and NAME.key of each into the folder that is its argument.
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

// wanted is one certificate. An issuer stands before what it signs; without one it signs itself.
type wanted struct {
	Name   string
	Issuer string
	DNS    []string
	Use    string // authority, server or client
}

type issued struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string) error {
	var list []wanted
	if err := json.NewDecoder(os.Stdin).Decode(&list); err != nil {
		return err
	}
	made := map[string]issued{}
	for i, one := range list {
		result, err := issue(one, int64(i+1), made)
		if err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
		made[one.Name] = result
		if err := write(folder, one.Name, result); err != nil {
			return err
		}
	}
	return nil
}

func issue(one wanted, serial int64, made map[string]issued) (issued, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return issued{}, err
	}
	template := templateOf(one, serial)
	issuer, signer := template, crypto.Signer(key)
	if one.Issuer != "" {
		by, ok := made[one.Issuer]
		if !ok {
			return issued{}, fmt.Errorf("its issuer %q does not stand before it", one.Issuer)
		}
		issuer, signer = by.certificate, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), signer)
	if err != nil {
		return issued{}, err
	}
	certificate, err := x509.ParseCertificate(der)
	return issued{certificate, key}, err
}

func templateOf(one wanted, serial int64) *x509.Certificate {
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(serial),
		Subject:               pkix.Name{CommonName: one.Name},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		DNSNames:              one.DNS,
		BasicConstraintsValid: true,
	}
	switch one.Use {
	case "authority":
		template.IsCA = true
		template.KeyUsage = x509.KeyUsageCertSign
	case "client":
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	default:
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}
	return template
}

func write(folder, name string, one issued) error {
	key, err := x509.MarshalPKCS8PrivateKey(one.key)
	if err != nil {
		return err
	}
	for suffix, block := range map[string]*pem.Block{
		".crt": {Type: "CERTIFICATE", Bytes: one.certificate.Raw},
		".key": {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(filepath.Join(folder, name+suffix), pem.EncodeToMemory(block), 0o600); err != nil {
			return err
		}
	}
	return nil
}
